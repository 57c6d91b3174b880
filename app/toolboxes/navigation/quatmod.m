function n = quatmod(q)
% n = quatmod(q): the lengths of quaternions in rows.
n = sqrt(sum(q.^2, 2));
end
