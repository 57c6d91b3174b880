function C = makecform(kind, varargin)
% C = makecform(kind): a conversion of colours for applycform: 'srgb2lab', 'lab2srgb', 'srgb2xyz', 'xyz2srgb', 'xyz2lab', 'lab2xyz', 'lab2lch', 'lch2lab',
%   'xyz2xyl', 'xyl2xyz'. Profiles of devices and other white points are refused: those are that of the profile connection space, D50.
known = {'srgb2lab', 'lab2srgb', 'srgb2xyz', 'xyz2srgb', 'xyz2lab', 'lab2xyz', 'lab2lch', 'lch2lab', 'xyz2xyl', 'xyl2xyz'};
kind = validatestring(kind, known, 'makecform');
if ~isempty(varargin), error('images:makecform:unsupportedOption', 'makecform takes no white point and no profile.'); end
C = struct('c_func', kind, 'ColorSpace_in', kind(1:find(kind == '2') - 1), 'ColorSpace_out', kind(find(kind == '2') + 1:end), 'encoding', 'double');
end
