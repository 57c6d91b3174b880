function varargout = gui_mainfcn(gui_State, varargin)
% gui_mainfcn(gui_State, ...): run a window made with GUIDE; its program calls this.
%   Without a callback the figure is opened (from the .fig file beside the program, or by
%   gui_LayoutFcn), its handles are kept with guidata, and the opening and output functions are
%   called; gui_State.gui_Singleton uses a window again that is open already. With the name of a
%   function of the program as first argument that function is called with the other arguments.
if is_callback(gui_State, varargin{:})
    [varargout{1:nargout}] = feval(gui_State.gui_Callback, varargin{2:end});
    return
end
fig = opened(gui_State);
if isempty(fig)
    fig = made(gui_State);
    setappdata(fig, 'GUIName', gui_State.gui_Name);
    guidata(fig, guihandles(fig));
end
for k = 1:2:numel(varargin) - 1
    if ischar(varargin{k}) && isprop(fig, varargin{k})
        set(fig, varargin{k}, varargin{k + 1});
    end
end
kept = get(fig, 'HandleVisibility');
if strcmp(kept, 'callback')
    set(fig, 'HandleVisibility', 'on');  % what the opening function draws goes into this window
end
set(groot, 'CurrentFigure', fig);
feval(gui_State.gui_OpeningFcn, fig, [], guidata(fig), varargin{:});
if ~ishghandle(fig)
    if nargout
        error('MATLAB:gui_mainfcn:Closed', 'The window was closed while it opened.');
    end
    return
end
set(fig, 'HandleVisibility', kept, 'Visible', 'on');
[varargout{1:nargout}] = feval(gui_State.gui_OutputFcn, fig, [], guidata(fig));
end

function tf = is_callback(gui_State, varargin)
% A function of the program is to be called: by its name, with an object or [] behind it.
tf = numel(varargin) > 1 && ischar(varargin{1}) && isa(gui_State.gui_Callback, 'function_handle') ...
    && (isempty(varargin{2}) || all(ishghandle(varargin{2}))) ...
    && ~isprop(groot, varargin{1});
end

function fig = opened(gui_State)
fig = [];
if gui_State.gui_Singleton
    open = findall(groot, 'Type', 'figure');
    for k = 1:numel(open)
        if strcmp(getappdata(open(k), 'GUIName'), gui_State.gui_Name)
            fig = open(k);
            figure(fig);
        end
    end
end
end

function fig = made(gui_State)
if isempty(gui_State.gui_LayoutFcn)
    folder = fileparts(which(gui_State.gui_Name));
    fig = openfig(fullfile(folder, [gui_State.gui_Name '.fig']), 'new', 'invisible');
elseif gui_State.gui_Singleton
    fig = feval(gui_State.gui_LayoutFcn, 'reuse');
else
    fig = feval(gui_State.gui_LayoutFcn, 'new');
end
end
