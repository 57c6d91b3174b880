function n = quatnorm(q)
% n = quatnorm(q): the sums of squares of quaternions in rows.
n = sum(q.^2, 2);
end
