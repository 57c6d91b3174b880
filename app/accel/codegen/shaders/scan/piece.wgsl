    let number = group.x + group.y * groups.x;
    if (number >= kept * chunks) { return; }
    let j = number / chunks;
    let piece = number % chunks;
    let stop = min((piece + 1u) * per, reduced);
    let end = stop;
