function h = eul2tform(eul, varargin)
% h = eul2tform(eul, sequence): homogeneous transformations of Euler angles (ZYX) in rows.
h = rotm2tform(eul2rotm(eul, varargin{:}));
end
