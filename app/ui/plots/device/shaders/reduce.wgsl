// Four points per pixel column: first, lowest, highest, last. z is 1 for a point, 2 where it stands
// for many. `blocks_of` takes in whole blocks of points and says where what it left out ends.
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> points: array<vec4f>;

fn point(i: u32) -> vec4f {
    let p = vec2f(place_x(i), place_y(i));
    let there = is_finite(p.x) && is_finite(p.y);
    return select(vec4f(0.0), vec4f(p, 1.0, 0.0), there);
}

fn repeat(entry: u32, p: vec4f) {
    for (var k = 0u; k < 4u; k++) { points[entry * 4u + k] = p; }
}

// Nothing in this column: stay where the line was, so that the next piece starts there.
fn stay(entry: u32, begin: u32) {
    let beyond = entry == view.columns + 1u;
    let place = select(begin, starts[view.columns] + 1u, beyond);
    if (place == 0u || place > view.count) {
        repeat(entry, vec4f(0.0, 0.0, -1.0, 0.0));
    } else {
        repeat(entry, point(place - 1u));
    }
}

// Entry 0 is the point left of the window, entry columns+1 the one right of it.
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let entry = id.x;
    if (entry > view.columns + 1u) { return; }
    let outside = entry == 0u || entry == view.columns + 1u;
    let column = clamp(entry, 1u, view.columns) - 1u;
    let begin = starts[column];
    let end = select(starts[column + 1u], begin, outside);
    if (begin >= end) {
        stay(entry, begin);
        return;
    }
    if (end - begin <= 4u) {
        for (var k = 0u; k < 4u; k++) {
            points[entry * 4u + k] = point(min(begin + k, end - 1u));
        }
        return;
    }
    var ends = vec2<${number}>(${number}(3.0e38), ${number}(-3.0e38));
    let stop = blocks_of(&ends, begin, end);
    // Four loads in flight.
    for (var i = begin; i < stop; i += 4u) {
        for (var k = 0u; k < 4u; k++) {
            let v = load_y(min(i + k, stop - 1u) + view.y_offset);
            let there = usable_y(v);
            ends = vec2<${number}>(min(ends.x, select(ends.x, v, there)),
                               max(ends.y, select(ends.y, v, there)));
        }
    }
    if (ends.x > ends.y) {
        repeat(entry, vec4f(0.0));
        return;
    }
    // Among many points in one column their places inside it do not matter: one upright stroke.
    let centre = f32(column) + 0.5;
    let low_point = vec4f(centre, at_y(ends.x), 2.0, 0.0);
    let high_point = vec4f(centre, at_y(ends.y), 2.0, 0.0);
    let first = point(begin);
    let last = point(end - 1u);
    points[entry * 4u] = select(low_point, vec4f(first.xy, 2.0, first.w), first.z > 0.0);
    points[entry * 4u + 1u] = low_point;
    points[entry * 4u + 2u] = high_point;
    points[entry * 4u + 3u] = select(high_point, vec4f(last.xy, 2.0, last.w), last.z > 0.0);
}
