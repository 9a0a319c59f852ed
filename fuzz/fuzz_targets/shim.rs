//! What makes a property a program: a fuzz target under the fuzzer, and on a stable toolchain a `main` that holds the
//! property against files. So plain cargo builds the targets, and a find can be replayed without the fuzzer.

macro_rules! fuzz_target {
    ($property:path) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $property(data));

        #[cfg(not(fuzzing))]
        fn main() {
            for path in std::env::args_os().skip(1) {
                let data = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                $property(&data);
                println!("{}: holds", path.display());
            }
        }
    };
}
