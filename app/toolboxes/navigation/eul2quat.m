function q = eul2quat(eul, varargin)
% q = eul2quat(eul, sequence): unit quaternions [w x y z] in rows of Euler angles (ZYX).
q = rotm2quat(eul2rotm(eul, varargin{:}));
end
