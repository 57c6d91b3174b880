// `at_${letter}(value)` and `place_${letter}(i)`: the pixel of a value, and of element i, along one
// axis; not finite where there is none. `usable_${letter}(value)` says whether there is one.
fn usable_${letter}(value: ${number}) -> bool {
    let narrow = f32(value);
    return is_finite(narrow) && (view.${letter}_log == 0u || narrow > 0.0);
}
fn at_${letter}(value: ${number}) -> f32 {
    if (view.${letter}_log != 0u) {
        let narrow = f32(value);
        if (!(narrow > 0.0)) { return bitcast<f32>(0x7fc00000u | view.count * 0u); }
        let power = log2(narrow) * 0.30102999566;
        return (power - view.${letter}_high - view.${letter}_low) * view.${letter}_scale;
    }
    return f32((value - ${number}(view.${letter}_high) - ${number}(view.${letter}_low))
               * ${number}(view.${letter}_scale));
}
fn place_${letter}(i: u32) -> f32 {
    return at_${letter}(load_${letter}(i + view.${letter}_offset));
}
