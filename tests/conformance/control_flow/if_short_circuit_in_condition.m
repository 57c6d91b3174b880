x = []; if ~isempty(x) && x(1) > 0, disp('no'), else, disp('guarded'), end
if true | error('never'), disp('or'), end
