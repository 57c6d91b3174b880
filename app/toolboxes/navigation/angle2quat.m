function q = angle2quat(r1, r2, r3, varargin)
% q = angle2quat(r1, r2, r3, order): quaternions [w x y z] in rows of three turns (ZYX).
q = dcm2quat(angle2dcm(r1, r2, r3, varargin{:}));
end
