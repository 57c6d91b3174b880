try, unwind_protect, disp('body'); error('boom'); unwind_protect_cleanup, disp('cleanup'); end_unwind_protect, catch e, disp(e.message); end
unwind_protect, disp('ok'); unwind_protect_cleanup, disp('always'); end_unwind_protect
