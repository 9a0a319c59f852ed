//! The macros that read an object of known keys into a struct.

/// Makes a struct an [`Object`](crate::reading::Object): `"key" => field: Read`.
macro_rules! object {
    ($object:ty, $de:lifetime, { $($key:literal => $field:ident: $read:ty,)* }) => {
        impl<$de> $crate::reading::Object<$de> for $object {
            fn fill<I: $crate::input::Input<$de>>(
                &mut self,
                input: &mut I,
            ) -> Result<(), $crate::json_error::JsonError> {
                static KEYS: $crate::keys::Keys = $crate::keys::Keys::new(&$crate::keys::known([$($key),*]));

                #[expect(non_camel_case_types, reason = "a key is called like the field that it fills")]
                #[derive(Clone, Copy)]
                enum Key { $($field,)* }

                const NUMBERED: &[Key] = &[$(Key::$field),*];

                let mut token = $crate::input::Token::Null;
                while let Some(number) = input.next_known(&KEYS, &mut token)? {
                    match NUMBERED[usize::from(number)] {
                        $(Key::$field => $crate::reading::read::<$read, I>(token, input, &mut self.$field)?,)*
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
