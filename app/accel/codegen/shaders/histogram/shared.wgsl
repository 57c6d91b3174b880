var<workgroup> bins: array<atomic<u32>, 1024>;
var<workgroup> limits: array<f64, 1025>;

