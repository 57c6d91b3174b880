"""Names that mean nothing: the error, and what to use instead of what is left out on purpose."""

from __future__ import annotations

from app.errors import MatlabError


def undefined_name(name: str) -> MatlabError:
    """The error for a name that means nothing."""
    text = f"Unrecognized function or variable '{name}'."
    if name in LEFT_OUT:
        text += f" {LEFT_OUT[name]}"
    error = MatlabError("MATLAB:UndefinedFunction", text)
    return error.as_in_octave("Octave:undefined-function", f"'{name}' undefined")


def _left_out(names: str, instead: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), instead)


LEFT_OUT = {
    **_left_out(
        "sym syms symfun vpa digits assume assumeAlso vpasolve dsolve matlabFunction laplace "
        "ilaplace fourier ifourier ztrans iztrans symsum symprod simplifyFraction str2sym subs "
        "solve int limit simplify expand collect coeffs numden jacobian poly2sym sym2poly taylor",
        "Symbolic mathematics is not part of Fuselab: use numbers and function handles, with "
        "fzero, fsolve, integral, ode45 or polyfit.",
    ),
    **_left_out(
        "dlarray dlfeval dlgradient dlnetwork dlupdate trainNetwork trainnet trainingOptions "
        "layerGraph featureInputLayer imageInputLayer sequenceInputLayer fullyConnectedLayer "
        "convolution2dLayer lstmLayer reluLayer softmaxLayer classificationLayer regressionLayer "
        "feedforwardnet patternnet fitnet newff",
        "Neural-network layers are not part of Fuselab: write the layers as array code, which runs "
        "on the GPU, with gradients of your own.",
    ),
    **_left_out(
        "CodeCoveragePlugin TestReportPlugin StopOnFailuresPlugin CoberturaFormat",
        "'fuselab test' stops at no failure and counts lines: --coverage FILE.info, or a folder of "
        "pages.",
    ),
    **_left_out(
        "uibutton uilabel uidropdown uislider uieditfield uigridlayout uicheckbox "
        "uispinner uiswitch uiknob uigauge uilamp uitextarea uilistbox uitabgroup uitab uihtml "
        "uiimage uitree uidatepicker appdesigner",
        "App Designer's components are not part of Fuselab: use uicontrol and uipanel, which a "
        "uifigure takes, too.",
    ),
    **_left_out(
        "wavread wavwrite auread auwrite wavplay wavrecord",
        "MATLAB no longer has it: use audioread, audiowrite or sound.",
    ),
    **_left_out(
        "sim simset load_system open_system new_system add_block set_param get_param slblocks",
        "Simulink models are not part of Fuselab: use ode45 or lsim for the equations.",
    ),
    **_left_out(
        "serial serialport bluetooth visa visadev arduino raspi udp tcpip tcpclient tcpserver "
        "udpport modbus",
        "Instruments and ports are not part of Fuselab: read the data from a file.",
    ),
    **_left_out(
        "fitrsvm fitclinear fitrlinear fitcensemble fitrensemble fitrgp fitcnet fitrnet tsne "
        "bayesopt",
        "This trained model is not part of Fuselab: use fitctree, fitcsvm, TreeBagger, fitcknn, "
        "kmeans, pca, fitlm, fitglm, fitnlm or lasso.",
    ),
}
"""What to use instead of functions that are left out on purpose, by their names."""
