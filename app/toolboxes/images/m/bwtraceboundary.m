function B = bwtraceboundary(BW, P, fstep, conn, N, dir)
% B = bwtraceboundary(BW, P, fstep), bwtraceboundary(BW, P, fstep, conn, N, dir): rows and columns of the edge of the object that
%   has the pixel P = [row column], from there on. fstep is where the next pixel is looked for first: 'N', 'NE', 'E', 'SE', 'S',
%   'SW', 'W', 'NW'; conn is 8 or 4; N the most pixels (Inf); dir 'clockwise' or 'counterclockwise'. The last pixel is P again.
if nargin < 4 || isempty(conn), conn = 8; end
if nargin < 5 || isempty(N), N = Inf; end
if nargin < 6, dir = 'clockwise'; end
dir = validatestring(dir, {'clockwise', 'counterclockwise'}, 'bwtraceboundary', 'dir');
if ~isequal(conn, 8) && ~isequal(conn, 4), error('images:bwtraceboundary:badScalarConn', 'CONN must be 4 or 8.'); end
names = {'N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'};
moves = [-1 0; -1 1; 0 1; 1 1; 1 0; 1 -1; 0 -1; -1 -1];
first = find(strcmpi(fstep, names));
if isempty(first), error('images:bwtraceboundary:invalidFirstStep', 'FSTEP must be one of: %s.', strjoin(names, ', ')); end
if conn == 4
    if mod(first, 2) == 0, error('images:bwtraceboundary:invalidFirstStep', 'FSTEP must be N, E, S or W with CONN 4.'); end
    moves = moves(1:2:end, :);
    first = (first + 1)/2;
end
BW = BW ~= 0;
inside = @(p) all(p >= 1 & p <= size(BW)) && BW(p(1), p(2));
P = double(P(:)');
if numel(P) ~= 2 || ~inside(P), error('images:bwtraceboundary:failedTrace', 'P must be a pixel of an object.'); end
turn = 1;
if strcmp(dir, 'counterclockwise'), turn = -1; end
B = P;
here = P;
start = 0;
from = first;
while size(B, 1) < N
    step = nextStep(inside, here, from, moves, turn);
    if step == 0, B = [P; P]; break, end
    if isequal(here, P)
        if step == start, break, end
        if start == 0, start = step; end
    end
    here = here + moves(step, :);
    B(end + 1, :) = here; %#ok<AGROW>
    back = 1 + (conn == 8)*(1 + (mod(step, 2) == 0)); % to beside the pixel left behind
    from = mod(step - 1 - turn*back, conn) + 1;
end
B = B(1:min(end, N), :);
end

function step = nextStep(inside, here, from, moves, turn)
count = size(moves, 1);
for k = 0:count - 1
    step = mod(from - 1 + turn*k, count) + 1;
    if inside(here + moves(step, :)), return, end
end
step = 0;
end
