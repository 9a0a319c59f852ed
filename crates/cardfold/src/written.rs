//! The head of a tracker's written form: which version it is, and by which function ids are remembered (R26, R27).
//! Knows no state.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::table::DIGEST;

/// The version of the written form. Every build of one major version reads what another one wrote.
const FORMAT: &str = "cardfold-tracker/1";

/// Stands first in the written form; another version is an error there, before anything else is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Head;

impl Serialize for Head {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (FORMAT, DIGEST).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Head {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (format, digest) = <(String, String)>::deserialize(from)?;
        if format != FORMAT {
            return Err(D::Error::custom(format_args!("the tracker was written as {format:?}, this build reads {FORMAT:?}")));
        }
        if digest != DIGEST {
            return Err(D::Error::custom(format_args!("ids were remembered by {digest:?}, this build uses {DIGEST:?}")));
        }
        Ok(Self)
    }
}
