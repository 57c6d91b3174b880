function eul = quat2eul(q, varargin)
% eul = quat2eul(q, sequence): Euler angles (ZYX) in rows of quaternions [w x y z].
eul = rotm2eul(quat2rotm(q), varargin{:});
end
