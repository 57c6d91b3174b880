if [], disp('a'); else, disp('empty false'); end, if [1 1 0], disp('b'); else, disp('zero false'); end, if [1 2; 3 4], disp('all nonzero'); end
if 'abc', disp('text true'); end, if 0, disp('c'); elseif 2, disp('elseif'); else, disp('d'); end, if ~0, disp('not'); end
if 0.1, disp('small'); end, x = 3; if x > 2 && x < 5, disp('in'); end, if x < 2 || x == 3, disp('or'); end
if isempty([]) & 1, disp('amp'); end, if (1:3) == (1:3), disp('same'); end
