function r = small_rotations()
R = [cos(0.1) -sin(0.1); sin(0.1) cos(0.1)]; p = [1; 0]; s = 0;
for k = 1:3000, p = R*p; s = s + p(1); end
r = s;
end
