"""Shader modules without the checks that wgpu puts around every index and every loop.

Our generators write no index outside an array, and every loop of theirs ends. The adapter still
keeps what is read and written of a buffer inside that buffer.
"""

from __future__ import annotations

from typing import Any

UNCHECKED = 0


def shader_module(device: Any, label: str, code: str) -> Any:
    """A shader module from a text. Raises wgpu's errors."""
    from wgpu.backends.wgpu_native import _api as api

    source = api.new_struct_p("WGPUShaderSourceWGSL *", code=api.to_c_string_view(code))
    source[0].chain.next = api.ffi.NULL
    source[0].chain.sType = api.lib.WGPUSType_ShaderSourceWGSL
    chain = api.ffi.cast("WGPUChainedStruct *", source)
    described = api.new_struct_p(
        "WGPUShaderModuleDescriptor *", nextInChain=chain, label=api.to_c_string_view(label)
    )
    made = api.libf.wgpuDeviceCreateShaderModuleTrusted(device._internal, described, UNCHECKED)  # noqa: SLF001
    return api.GPUShaderModule(label, made, device)
