%[text] # Signals: finding a tone in noise
%[text] A tone of unknown frequency is buried in noise that is louder than itself. In time nothing can be seen; in frequency it stands out.
%%
%[text] ## The recording
rate = 8000;
tone = 1234; %[control:slider:4001]{"position":[8,12]}
loudness = 0.5; %[control:slider:4002]{"position":[12,15]}
rng(5)
t = (0:rate-1) / rate;
x = loudness*sin(2*pi*tone*t) + randn(1, rate);
plot(t(1:400), x(1:400))
xlabel('seconds')
title('Fifty milliseconds of it')
%%
%[text] ## Its spectrum
%[text] The transform $ X\_k = \\sum\_{n} x\_n e^{-2\\pi i kn/N} ${"altText":"the discrete Fourier transform"} sums the tone up over the whole second, while the noise cancels.
X = abs(fft(x)) / rate;
f = 0:rate/2-1;
plot(f, X(1:rate/2))
xlabel('hertz')
ylabel('amplitude')
[peak, place] = max(X(1:rate/2));
xline(f(place), '--')
found = f(place)
%%
%[text] ## Cleaning it
%[text] A narrow band around what was found, and back again:
width = 20; %[control:spinner:4003]{"position":[9,11]}
Y = fft(x);
k = min(0:rate-1, rate - (0:rate-1));
Y(abs(k - found) > width) = 0;
y = real(ifft(Y));
plot(t(1:200), x(1:200), t(1:200), y(1:200), 'LineWidth', 1.5)
legend('heard', 'filtered')
xlabel('seconds')
%%
%[text] ## How well did it work?
signal = loudness*sin(2*pi*tone*t);
improvement = 20*log10(norm(x - signal) / norm(y - signal));
fprintf('The noise is %.1f dB weaker.\n', improvement)

%[appendix]{"version":"1.0"}
%---
%[metadata:view]
%   data: {"layout":"inline","rightPanelPercent":40}
%---
%[control:slider:4001]
%   data: {"defaultValue":1234,"label":"tone","max":3900,"min":50,"run":"AllSections","runOn":"ValueChanging","step":1}
%---
%[control:slider:4002]
%   data: {"defaultValue":0.5,"label":"loudness","max":2,"min":0,"run":"AllSections","runOn":"ValueChanging","step":0.05}
%---
%[control:spinner:4003]
%   data: {"defaultValue":20,"label":"half width","max":500,"min":1,"run":"SectionToEnd","step":5}
%---
