function r = loop_nbody(n)
% Five bodies under gravity, n small steps; the energy at the end.
    x = [0 4.84 8.34 12.89 15.38];
    y = [0 -1.16 4.12 -15.11 -25.92];
    z = [0 -0.10 -0.40 -0.22 0.18];
    vx = [0 0.61 -1.01 1.08 0.98];
    vy = [0 2.81 1.82 0.87 0.59];
    vz = [0 -0.02 0.008 -0.01 -0.03];
    m = [39.48 0.0377 0.0113 0.0017 0.0020];
    dt = 0.01;
    for step = 1:n
        for i = 1:5
            for j = i+1:5
                dx = x(i) - x(j);
                dy = y(i) - y(j);
                dz = z(i) - z(j);
                d2 = dx * dx + dy * dy + dz * dz;
                mag = dt / (d2 * sqrt(d2));
                vx(i) = vx(i) - dx * m(j) * mag;
                vy(i) = vy(i) - dy * m(j) * mag;
                vz(i) = vz(i) - dz * m(j) * mag;
                vx(j) = vx(j) + dx * m(i) * mag;
                vy(j) = vy(j) + dy * m(i) * mag;
                vz(j) = vz(j) + dz * m(i) * mag;
            end
        end
        for i = 1:5
            x(i) = x(i) + dt * vx(i);
            y(i) = y(i) + dt * vy(i);
            z(i) = z(i) + dt * vz(i);
        end
    end
    r = 0;
    for i = 1:5
        r = r + 0.5 * m(i) * (vx(i)^2 + vy(i)^2 + vz(i)^2);
        for j = i+1:5
            r = r - m(i) * m(j) / sqrt((x(i)-x(j))^2 + (y(i)-y(j))^2 + (z(i)-z(j))^2);
        end
    end
end
