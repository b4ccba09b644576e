#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcp_reprise_fuzz::legacy_session::check(data));
