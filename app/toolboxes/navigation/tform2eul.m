function eul = tform2eul(h, varargin)
% eul = tform2eul(h, sequence): Euler angles (ZYX) in rows of homogeneous transformations.
eul = rotm2eul(tform2rotm(h), varargin{:});
end
