function r = kinds(varargin), r = class(varargin); disp(size(varargin)); end
disp(kinds()); kinds(1, 'a'); c = {1, 2, 3}; kinds(c{:}); kinds(c);
