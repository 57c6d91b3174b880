function r = small_quaternions()
q = [1 0 0 0]; axis = [1 2 2]/3; v = [1 0 0]; r = 0;
for k = 1:60
    a = k*pi/180; s = [cos(a/2), sin(a/2)*axis]; q = times4(s, q); q = q/norm(q);
    w = times4(times4(q, [0 v]), [q(1) -q(2:4)]); r = r + dot(w(2:4), [1 2 3]);
end
r = round(r*1e6);
end
function c = times4(a, b)
c = [a(1)*b(1) - dot(a(2:4), b(2:4)), a(1)*b(2:4) + b(1)*a(2:4) + cross(a(2:4), b(2:4))];
end
