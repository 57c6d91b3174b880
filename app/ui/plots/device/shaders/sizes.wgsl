// How large every marker is: its point counts as many times as the root of its size.
//include point_value

    let there = is_finite(value) && value > 0.0;
    points[k].z = select(0.0, points[k].z * sqrt(value), there);
}
