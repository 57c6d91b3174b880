function info = opengl(mode)
% info = opengl('info'): what draws the figures. opengl('software') and the other words of MATLAB change
%   nothing: there is one renderer, on the device where there is one.
if nargin == 0, mode = 'info'; end
words = {'info', 'data', 'software', 'hardware', 'hardwarebasic', 'neverselect', 'autoselect', 'advise', 'save', ...
    'reset', 'verbose', 'quiet'};
mode = validatestring(mode, words, 'opengl');
if ~ismember(mode, {'info', 'data'}), return, end
version_ = ver('Fuselab');
found = struct('Version', version_.Version, 'Vendor', 'Fuselab', 'Renderer', 'Fuselab', 'Software', 'false');
if nargout, info = found; else, disp(found), end
end
