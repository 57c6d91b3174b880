% oracle: Octave has no events
addpath('support'); a = Account('x', 0); l = addlistener(a, 'Deposited', @(src, evt) fprintf('%s %d\n', evt.EventName, src.balance)); a.deposit(5); l.Enabled = false; a.deposit(5); l.Enabled = true; a.deposit(1); delete(l); a.deposit(1); disp(a.balance); try, notify(a, 'Nothing'); catch e, disp('no such event'); end
