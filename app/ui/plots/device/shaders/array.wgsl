// A binding of data, and how its element i is read.
@group(0) @binding(${binding}) var<storage, read> ${name}: ${storage};
fn load_${name}(i: u32) -> ${number} { return ${element}; }
