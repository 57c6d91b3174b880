size(''), isempty(''), size(zeros(1, 0)), ischar('')
isequal('', [])
