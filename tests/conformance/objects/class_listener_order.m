% oracle: classes
addpath('support'); a = Account('l', 0); addlistener(a, 'Deposited', @(s, e) disp('first')); addlistener(a, 'Deposited', @(s, e) fprintf('%s\n', class(s))); a.deposit(1); disp(a.balance);
