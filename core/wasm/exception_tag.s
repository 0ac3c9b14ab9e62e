# The tag of C++ exceptions, which the toolchain's library for this target leaves out.
	.globl	__cpp_exception
	.tagtype	__cpp_exception i32
__cpp_exception:
