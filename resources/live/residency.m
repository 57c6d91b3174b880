%[text] # Residency: where arrays live
%[text] An array that a kernel has made stays on the device. It comes to main memory when something needs it there: a printed element, a function without a device form, a file. Fuselab moves *what is needed*, when it is needed, and says so.
%%
%[text] ## Nothing moves
%[text] Both arrays are made on the device, and their sum is used there. One number comes back.
a = rand(2000, 'single');
b = a * 0.5 + 1;
total = sum(b, 'all')
%%
%[text] ## One element moves
%[text] Reading an element fetches that element, not the four million around it.
corner = b(1, 1)
%%
%[text] ## Everything moves
%[text] The workspace shows where a variable lives. Sorting text, for example, is done by the host, so its input has to be there:
words = string(round(b(1:5, 1), 2));
disp(sort(words))
%%
%[text] ## What it costs
%[text] The thing to remember: computing is cheap, moving is not. Below is the time that a transfer of `s` megabytes takes at the speed of a typical bus, $ t = s / 12 ${"altText":"t is s over 12"} ms, beside that of a kernel at the speed of a typical card's memory, $ t = s / 900 ${"altText":"t is s over 900"} ms.
s = logspace(0, 4, 50);
loglog(s, s/12, s, s/900, 'LineWidth', 2)
grid on
xlabel('megabytes')
ylabel('milliseconds')
legend('over the bus', 'on the card', 'Location', 'northwest')

%[appendix]{"version":"1.0"}
%---
%[metadata:view]
%   data: {"layout":"inline","rightPanelPercent":40}
%---
