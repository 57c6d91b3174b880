// What lies on every pixel.
struct Size { width: f32, height: f32, total: u32, unused: u32 }
struct Pile { count: ${count}, color: ${count}, size: ${count} }
@group(0) @binding(0) var<storage, read> size: Size;
