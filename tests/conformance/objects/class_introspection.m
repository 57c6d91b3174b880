% oracle: introspection of classes
addpath('support'); p = Point(1, 2); disp(ismember('shift', methods(p))); disp(ismember('x', properties(p))); m = ?Point; disp(m.Name); disp(m.Abstract); n = metaclass(p); disp(n.Name); disp(isobject(p)); disp(isstruct(p)); disp(ismethod(p, 'nothing')); disp(exist('Point')); disp(isa(p, 'Point')); disp(strcmp(class(p), 'Point'));
