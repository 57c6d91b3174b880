function r = quatinv(q)
% r = quatinv(q): inverses of quaternions [w x y z] in rows.
r = quatconj(q)./sum(q.^2, 2);
end
