clear; alpha = 1; beta2 = 2; w = who; disp(w);
