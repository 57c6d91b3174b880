function r = quatdivide(q, p)
% r = quatdivide(q, p): the inverse of p times q, of quaternions [w x y z] in rows.
r = quatmultiply(quatinv(p), q);
end
