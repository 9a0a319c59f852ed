//! The macros that read an object of known keys into a struct.

/// A number that tells most keys of an object apart: its first eight bytes, and its length.
pub(crate) const fn key_mark(key: &str) -> u64 {
    let bytes = key.as_bytes();
    let mut mark = 0;
    if let Some(head) = bytes.first_chunk::<8>() {
        mark = u64::from_le_bytes(*head);
    } else {
        let mut at = bytes.len();
        while at > 0 {
            at -= 1;
            mark = mark << 8 | bytes[at] as u64;
        }
    }
    mark ^ (bytes.len() as u64) << 56
}

/// Makes a struct an [`Object`](crate::reading::Object): `"key" => field: Read`.
///
/// Keys are looked up by [`key_mark`] first, since comparing a key with every name of a long list takes longer than
/// all the rest of the reading.
macro_rules! object {
    ($object:ty, $de:lifetime, { $($key:literal => $field:ident: $read:ty,)* }) => {
        impl<$de> $crate::reading::Object<$de> for $object {
            fn fill<A: serde::de::MapAccess<$de>>(&mut self, mut map: A) -> Result<(), A::Error> {
                #[expect(non_camel_case_types, reason = "a key is called like the field that it fills")]
                enum Key { $($field,)* Other }

                struct KeyVisitor;

                impl<'de> serde::de::DeserializeSeed<'de> for KeyVisitor {
                    type Value = Key;

                    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
                        deserializer.deserialize_str(self)
                    }
                }

                impl serde::de::Visitor<'_> for KeyVisitor {
                    type Value = Key;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a key")
                    }

                    #[expect(non_upper_case_globals, reason = "a mark is called like its field")]
                    fn visit_str<E>(self, key: &str) -> Result<Key, E> {
                        $(const $field: u64 = $crate::object::key_mark($key);)*
                        Ok(match $crate::object::key_mark(key) {
                            $($field if key == $key => Key::$field,)*
                            _ => Key::Other,
                        })
                    }
                }

                while let Some(key) = map.next_key_seed(KeyVisitor)? {
                    match key {
                        $(Key::$field => {
                            map.next_value_seed($crate::reading::Reading::<$read>(&mut self.$field))?;
                        })*
                        Key::Other => {
                            map.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(())
            }
        }
    };
}

/// Defines a struct that is an [`Object`](crate::reading::Object), its fields being what their readings give.
macro_rules! raw {
    ($(#[$meta:meta])* struct $name:ident<$de:lifetime> { $($key:literal => $field:ident: $read:ty,)* }) => {
        $(#[$meta])*
        #[derive(Default)]
        pub(crate) struct $name<$de> {
            $(pub(crate) $field: <$read as $crate::reading::Read<$de>>::Out,)*
        }

        $crate::object::object!($name<$de>, $de, { $($key => $field: $read,)* });
    };
}

pub(crate) use {object, raw};
