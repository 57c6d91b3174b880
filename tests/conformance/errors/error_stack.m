1;
function inner(), error('deep:id','down here'); end
function outer(), inner(); end
try, outer(); catch e, disp(e.stack(1).name); disp(e.stack(2).name); disp(isfield(e.stack,'line')); end
