// `blocks_of` takes in whole blocks of points and says where what it left out ends: here none.
fn blocks_of(ends: ptr<function, vec2<${number}>>, begin: u32, end: u32) -> u32 { return end; }
