isempty(zeros(0, 3)), numel(zeros(0, 3)), length(zeros(0, 3)), ndims(zeros(0, 3, 2)), isvector([]), isscalar([])
