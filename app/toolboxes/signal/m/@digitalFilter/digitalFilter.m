classdef digitalFilter
    % A digital filter that designfilt makes: filter(d, x), filtfilt(d, x), freqz(d), grpdelay(d), impz(d), isstable(d).
    %   Coefficients: the impulse response, or a row for every second-order section. [b, a] = tf(d), zpk(d), ss(d).
    properties (SetAccess = private)
        Coefficients
        FrequencyResponse
        ImpulseResponse
        SampleRate
        DesignMethod
        Specifications = struct()
    end

    methods
        function d = digitalFilter(coefficients, shape, kind, rate, method, specifications)
            if nargin < 6
                error('signal:digitalFilter:InvalidConstructor', 'Use designfilt to make a digitalFilter.');
            end
            [d.Coefficients, d.FrequencyResponse, d.ImpulseResponse] = deal(coefficients, shape, kind);
            [d.SampleRate, d.DesignMethod, d.Specifications] = deal(rate, method, specifications);
        end

        function y = filter(d, x, varargin)
            if isfir(d), y = filter(d.Coefficients, 1, x, varargin{:}); else, y = sosfilt(d.Coefficients, x, varargin{:}); end
        end

        function y = filtfilt(d, x)
            if size(d.Coefficients, 1) > 1, y = filtfilt(d.Coefficients, 1, x); return, end
            [b, a] = tf(d);
            y = filtfilt(b, a, x);
        end

        function y = fftfilt(d, x, varargin)
            if ~isfir(d), error('signal:digitalFilter:fftfilt:NotFIR', 'fftfilt takes filters with a finite impulse response.'); end
            y = fftfilt(d.Coefficients, x, varargin{:});
        end

        function varargout = tf(d)
            if isfir(d), [b, a] = deal(d.Coefficients, 1); else, [b, a] = sos2tf(d.Coefficients); end
            varargout = {b, a};
        end

        function [z, p, k] = zpk(d)
            if isfir(d), [z, p, k] = tf2zpk(d.Coefficients, 1); else, [z, p, k] = sos2zp(d.Coefficients); end
        end

        function [A, B, C, D] = ss(d)
            [z, p, k] = zpk(d);
            [A, B, C, D] = zp2ss(z, p, k);
        end

        function [h, w] = freqz(d, varargin)
            if nargin == 1, varargin = {512}; end
            if nargout == 0
                [b, a] = tf(d);
                freqz(b, a, varargin{:});
                return
            elseif isfir(d)
                [h, w] = freqz(d.Coefficients, 1, varargin{:});
                return
            end
            h = 1;
            for s = d.Coefficients.'
                [part, w] = freqz(s(1:3).', s(4:6).', varargin{:});
                h = h.*part;
            end
        end

        function [phi, w] = phasez(d, varargin)
            [h, w] = freqz(d, varargin{:});
            phi = unwrap(angle(h));
        end

        function varargout = grpdelay(d, varargin)
            [b, a] = tf(d);
            [varargout{1:nargout}] = grpdelay(b, a, varargin{:});
        end

        function varargout = zerophase(d, varargin)
            [b, a] = tf(d);
            [varargout{1:nargout}] = zerophase(b, a, varargin{:});
        end

        function varargout = impz(d, varargin)
            [b, a] = tf(d);
            [varargout{1:nargout}] = impz(b, a, varargin{:});
        end

        function varargout = stepz(d, varargin)
            [b, a] = tf(d);
            [varargout{1:nargout}] = stepz(b, a, varargin{:});
        end

        function n = filtord(d)
            if isfir(d), n = numel(d.Coefficients) - 1; return, end
            [~, p] = zpk(d);
            n = numel(p) - sum(p == 0);
        end

        function t = firtype(d)
            t = firtype(d.Coefficients);
        end

        function yes = isfir(d)
            yes = strcmp(d.ImpulseResponse, 'fir');
        end

        function yes = isstable(d)
            [~, p] = zpk(d);
            yes = all(abs(p) < 1);
        end

        function yes = islinphase(d)
            yes = isfir(d) && islinphase(d.Coefficients, 1);
        end

        function yes = isminphase(d)
            z = zpk(d);
            yes = isstable(d) && all(abs(z) < 1 + eps^(2/3));
        end

        function yes = isallpass(d)
            [b, a] = tf(d);
            yes = isallpass(b, a);
        end

        function yes = isdouble(d)
            yes = isa(d.Coefficients, 'double');
        end

        function yes = issingle(d)
            yes = isa(d.Coefficients, 'single');
        end

        function varargout = subsref(d, s)
            % Parameters of the design are read as properties, too.
            if strcmp(s(1).type, '.') && isfield(d.Specifications, s(1).subs)
                [varargout{1:max(nargout, 1)}] = builtin('subsref', d.Specifications, s);
            else
                [varargout{1:max(nargout, 1)}] = builtin('subsref', d, s);
            end
        end

        function disp(d)
            names = fieldnames(d.Specifications);
            facts = [{'FrequencyResponse'; 'ImpulseResponse'; 'SampleRate'}; names; {'DesignMethod'}];
            width = max(cellfun(@numel, facts)) + 4;
            fprintf(' digitalFilter with properties:\n\n');
            fprintf('%*s: [%s double]\n', width, 'Coefficients', strjoin(string(size(d.Coefficients)), '×'));
            fprintf('   Specifications:\n');
            for k = 1:numel(facts)
                if isfield(d.Specifications, facts{k}), v = d.Specifications.(facts{k}); else, v = d.(facts{k}); end
                if ischar(v) || isstring(v), v = ['''' char(v) '''']; else, v = formattedDisplayText(v); end
                fprintf('%*s: %s\n', width, facts{k}, strtrim(char(v)));
            end
            fprintf('\n  Use designfilt to make another filter\n  Use filter to filter data\n\n');
        end
    end
end
