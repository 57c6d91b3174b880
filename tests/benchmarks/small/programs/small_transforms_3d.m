function r = small_transforms_3d()
p = [0 0 0 1; 1 0 0 1; 0 1 0 1; 0 0 1 1]'; r = 0;
for k = 1:100
    c = cos(k/10); s = sin(k/10); T = [c -s 0 0.1; s c 0 0; 0 0 1 0.2; 0 0 0 1]; q = T * p; n = cross(q(1:3, 2) - q(1:3, 1), q(1:3, 3) - q(1:3, 1)); r = r + n' * [1; 2; 3] + norm(q(1:3, 4));
end
end
