function [r1, r2, r3] = quat2angle(q, varargin)
% [r1, r2, r3] = quat2angle(q, order): the three turns (ZYX) of quaternions [w x y z] in rows.
[r1, r2, r3] = dcm2angle(quat2dcm(q), varargin{:});
end
