unwind_protect, disp('body'); unwind_protect_cleanup, disp('cleanup'); end_unwind_protect
try, unwind_protect, error('x'); unwind_protect_cleanup, disp('cleaned'); end_unwind_protect, catch, disp('then caught'); end
