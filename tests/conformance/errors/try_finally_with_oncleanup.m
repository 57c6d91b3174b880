function work(), c = onCleanup(@() disp('cleanup')); disp('work'); end
function fails(), c = onCleanup(@() disp('cleanup anyway')); error('x'); end
work(); try, fails(); catch, disp('caught'); end
