3 + 4;
disp(ans); ans * 2; disp(ans); x = 5; disp(ans); max([1 9]); disp(ans); true; disp(ans); 'text'; disp(ans);
