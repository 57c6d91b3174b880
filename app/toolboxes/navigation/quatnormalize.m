function r = quatnormalize(q)
% r = quatnormalize(q): quaternions in rows with the length one.
r = q./sqrt(sum(q.^2, 2));
end
