//! The head of a tracker's written form: which version it is, and by which function ids are remembered (R26, R27).
//! Knows no state.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::table::DIGEST;

/// The version of the written form. Every build of one major version reads what another one wrote.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Version;

/// The number of that version.
const VERSION: u64 = 1;

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        VERSION.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match u64::deserialize(from)? {
            VERSION => Ok(Self),
            other => {
                Err(D::Error::custom(format_args!("written by version {other} of the tracker, this is {VERSION}")))
            }
        }
    }
}

/// The function by which ids are remembered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Digest;

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        DIGEST.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let digest = String::deserialize(from)?;
        if digest == DIGEST {
            return Ok(Self);
        }
        Err(D::Error::custom(format_args!("ids were remembered by {digest:?}, this build uses {DIGEST:?}")))
    }
}
